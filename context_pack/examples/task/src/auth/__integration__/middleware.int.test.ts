import { validateSession } from "../middleware";

test("a request with a valid token passes", async () => {
  expect(typeof validateSession).toBe("function");
});
