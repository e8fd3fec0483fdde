import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { createRepository } from '../../../../../../runner/src/testing/repositories.ts'

/** A bare repository whose commits a test writes file by file. */
export interface WrittenRepository {
  readonly path: string
  /** A commit of exactly these files on top of `parents`; moves `ref` to it where one is given. Answers its id. */
  commit(
    files: Readonly<Record<string, string>>,
    options?: { readonly parents?: readonly string[]; readonly ref?: string },
  ): string
  /** Moves `ref` of another repository to a commit of this one. */
  push(commit: string, to: WrittenRepository, ref: string): void
}

export function writeRepository(folder: string, path: string): WrittenRepository {
  const bare = createRepository(folder, 1)
  bare.git('config', 'uploadpack.allowFilter', 'true')
  const person = { NAME: 'Ada', EMAIL: 'ada@example.com' }
  let written = 0
  return {
    path: bare.path,
    commit(files, { parents = [], ref } = {}) {
      written += 1
      const env = {
        PATH: path,
        GIT_INDEX_FILE: join(folder, `index-${written}`),
        GIT_AUTHOR_NAME: person.NAME,
        GIT_AUTHOR_EMAIL: person.EMAIL,
        GIT_COMMITTER_NAME: person.NAME,
        GIT_COMMITTER_EMAIL: person.EMAIL,
      }
      const git = (args: readonly string[], input = ''): string =>
        execFileSync('git', args, { cwd: bare.path, input, encoding: 'utf8', env }).trim()
      for (const [name, text] of Object.entries(files)) {
        const blob = git(['hash-object', '-w', '--stdin'], text)
        git(['update-index', '--add', '--cacheinfo', `100644,${blob},${name}`])
      }
      const parentWords = parents.flatMap((parent) => ['-p', parent])
      const commit = git(['commit-tree', git(['write-tree']), ...parentWords, '-m', `commit ${written}`])
      if (ref !== undefined) git(['update-ref', ref, commit])
      return commit
    },
    push: (commit, to, ref) => void bare.git('push', '--quiet', '--force', to.path, `${commit}:${ref}`),
  }
}
