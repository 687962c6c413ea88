export interface UserRecord {
  id: string;
  email: string;
}

const users = new Map<string, UserRecord>();

export async function findUserById(id: string): Promise<UserRecord | undefined> {
  return users.get(id);
}
