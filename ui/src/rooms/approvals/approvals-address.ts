/** What the page shows, by the `state` of the address; the first without one. */
export const VIEWS = { waiting: 'Waiting for you', decided: 'Decided' } as const
