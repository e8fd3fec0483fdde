import type { ContentEvents } from '../github/repositories.ts'
import type { Account, Comment, PullRequest, Repository, RepositoryHook, World } from '../github/world.ts'
import type { Dialect, Told } from './dialect.ts'

/** What happened, told to the webhooks of the repository. */
export interface ConnectedEvents extends ContentEvents {
  addComment(
    repository: Repository,
    wanted: { readonly number: number; readonly author: Account; readonly body: string },
  ): Comment
  editComment(repository: Repository, comment: Comment, body: string): void
  deleteComment(repository: Repository, comment: Comment): void
  closePull(repository: Repository, pull: PullRequest, merged: boolean): void
  /** Sends the test to one webhook. */
  test(hook: RepositoryHook): void
}

export function createConnectedEvents(world: World, { tellings }: Dialect): ConnectedEvents {
  function tell(repository: Repository, { chosenBy, event, action, payload }: Told): void {
    for (const hook of repository.hooks.values()) {
      if (!hook.active || !chosenBy.some((name) => hook.events.includes(name))) continue
      world.mailbox.post({ hook, event, action, payload, repositoryId: repository.id, installationId: null })
    }
  }

  const ACTIONS = { opened: 'opened', synchronize: 'synchronized', closed: 'closed' } as const
  const actionOf = (action: string) =>
    Object.entries(ACTIONS).find(([name]) => name === action)?.[1] ?? ACTIONS.synchronize

  return {
    push: (repository, pushed, sender) => tell(repository, tellings.push(world, repository, pushed, sender)),
    pull(repository, pull, action, more = {}) {
      const before = typeof more['before'] === 'string' ? more['before'] : undefined
      tell(repository, tellings.pull(world, repository, pull, { action: actionOf(action), before }))
    },
    addComment(repository, wanted) {
      const now = world.clock.text()
      const comment: Comment = {
        ...wanted,
        id: world.nextId(),
        app: null,
        reactions: [],
        createdAt: now,
        updatedAt: now,
      }
      repository.comments.set(comment.id, comment)
      tell(repository, tellings.comment(world, repository, comment, 'created'))
      return comment
    },
    editComment(repository, comment, body) {
      comment.body = body
      comment.updatedAt = world.clock.text()
      tell(repository, tellings.comment(world, repository, comment, 'edited'))
    },
    deleteComment(repository, comment) {
      repository.comments.delete(comment.id)
      tell(repository, tellings.comment(world, repository, comment, 'deleted'))
    },
    closePull(repository, pull, merged) {
      pull.state = 'closed'
      pull.merged = merged
      pull.updatedAt = world.clock.text()
      tell(repository, tellings.pull(world, repository, pull, { action: 'closed', before: undefined }))
    },
    test(hook) {
      const { event, action, payload } = tellings.test(world, hook.repository)
      world.mailbox.post({ hook, event, action, payload, repositoryId: hook.repository.id, installationId: null })
    },
  }
}
