/** As the table and the contract of users demand. */
const MOST = 100
/** Leaves room for what makes it unique. */
const MOST_WISHED = 90

/**
 * A valid login that is as near as possible to the wish, which is text from outside; undefined where nothing of it can
 * stay. `Jörg Müller` becomes `jorg-muller`.
 */
export function loginOf(wish: string): string | undefined {
  const login = wish
    .slice(0, 1000)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._@+-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, MOST_WISHED)
    .replace(/-+$/, '')
  return login === '' ? undefined : login
}

/** `ada`, `ada-2`, `ada-3` and so on. */
export function numbered(login: string, count: number): string {
  return count === 1 ? login : `${login}-${count}`.slice(0, MOST)
}
