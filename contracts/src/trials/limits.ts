/** Apart from the schemas, which the page does not load. */
export const MOST_TRIED_RUNS = 200
