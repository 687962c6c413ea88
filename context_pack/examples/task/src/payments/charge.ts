export function charge(cents: number): boolean {
  return cents > 0;
}
