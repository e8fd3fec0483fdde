import { aPullRequestPayload, aPushPayload } from '../../../server/src/adapters/forges/github/testing.ts'
import type { Named, Told } from './providers.ts'

/** GitHub's message about a pull request. By default pull request number 7 was opened from topic to main. */
export function aPullRequest({ fullName, cloneUrl }: Named, told: Told): object {
  const { number, action, commit, base, before, fork, at } = told
  return aPullRequestPayload({
    repository: { full_name: fullName, clone_url: cloneUrl },
    ...(number === undefined ? {} : { number }),
    ...(action === undefined ? {} : { action }),
    ...(commit === undefined ? {} : { head: commit }),
    ...(base === undefined ? {} : { base }),
    ...(before === undefined ? {} : { before }),
    ...(fork === undefined ? {} : { fork }),
    ...(at === undefined ? {} : { updatedAt: at }),
  })
}

let comments = 0

/** GitHub's message about a new comment: it names neither commit nor branches of the pull request. */
export function aComment({ fullName, cloneUrl }: Named, told: Told): object {
  const { number = 7, text = '', author = 'mona', association = 'NONE', at = '2026-11-21T11:00:00Z' } = told
  comments += 1
  const user = { login: author, id: 583_231, type: 'User' }
  const { repository } = aPushPayload({ repository: { full_name: fullName, clone_url: cloneUrl } })
  return {
    action: 'created',
    issue: {
      number,
      title: 'Turn the signal to green',
      labels: [],
      user: { login: 'mona', id: 583_231, type: 'User' },
      pull_request: { merged_at: null },
    },
    comment: {
      id: comments,
      body: text,
      user,
      author_association: association,
      created_at: at,
      updated_at: at,
    },
    repository,
    sender: user,
  }
}
