import { backoffSeconds } from "./retry";

test("the first delay is one second", () => {
  expect(backoffSeconds(0)).toBe(1);
});

test("the delay is capped", () => {
  expect(backoffSeconds(6)).toBeLessThanOrEqual(30);
});
