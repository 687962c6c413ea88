/** Seconds to wait after a number of failed attempts; doubles each time. */
export function backoffSeconds(attempt: number): number {
  return 2 ** attempt;
}
