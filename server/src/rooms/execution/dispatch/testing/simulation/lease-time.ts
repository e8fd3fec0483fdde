/** For how long an attempt is a runner's, unless it is renewed. */
export const LEASE_MS = 15_000
