const BRANCHES = 'refs/heads/'

/** The full name of a branch or a tag: `main` is the branch of that name. */
export function fullRef(ref: string | null | undefined): string | undefined {
  if (ref === null || ref === undefined) return undefined
  return ref.startsWith('refs/') ? ref : `${BRANCHES}${ref}`
}

/** The name of the branch that a full ref names; undefined where it names none. */
export function branchOf(ref: string | undefined): string | undefined {
  return ref?.startsWith(BRANCHES) ? ref.slice(BRANCHES.length) : undefined
}
