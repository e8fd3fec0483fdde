/** For whom this page was opened: each request says so, and the server refuses it while somebody else is signed in. */
let pageUser: string | undefined

export function pageUserId(): string | undefined {
  return pageUser
}

/** The first one stays until `forgetPageUser`. */
export function notePageUser(id: string): void {
  pageUser ??= id
}

/** Nothing is left on the page of whom it was opened for. */
export function forgetPageUser(): void {
  pageUser = undefined
}
