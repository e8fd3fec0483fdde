/** What tells that plans have changed. */
export const TOPICS = ['plans']

/** Plans live for minutes: where no stream of changes is to be had, they are read again this often. */
export const AGAIN_MS = 20_000
