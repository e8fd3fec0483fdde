/** The full refs that people mean by one: `main` is a branch or a tag. */
export function refsOf(ref: string): readonly string[] {
  return ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`]
}

/** The refs under which providers tell of a pull request; some name the branch instead. */
export function refsOfPullRequest(number: number): readonly string[] {
  return [
    `refs/pull/${number}/head`,
    `refs/pull/${number}/merge`,
    `refs/merge-requests/${number}/head`,
    `refs/pull-requests/${number}/from`,
  ]
}
