import { readBareRef, readSha } from './git-names.ts'
import { child, children } from './payload-fields.ts'
import type { ForgeBranch } from './port.ts'

/** A page of branches whose commits are named by `shaKey`; undefined where the body is no list. */
export function readBranches(body: unknown, shaKey: 'sha' | 'id'): readonly ForgeBranch[] | undefined {
  if (!Array.isArray(body)) return undefined
  const branches: ForgeBranch[] = []
  for (const branch of children({ body }, 'body')) {
    const name = readBareRef(branch['name'], 'heads')
    const commitSha = readSha(child(branch, 'commit')[shaKey])
    if (name !== null && commitSha !== undefined) branches.push({ name, commitSha })
  }
  return branches
}
