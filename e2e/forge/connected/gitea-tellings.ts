import { createHmac } from 'node:crypto'
import { fieldsOf } from '../fields.ts'
import { ZERO } from '../git/bare-repository.ts'
import { fullNameOf } from '../github/world.ts'
import type { Tellings } from './dialect.ts'
import { describeAccount, describeComment, describePull, describeRepository, webOf } from './gitea-shapes.ts'
import { recordedPayload } from './recorded.ts'

const PULL_EVENT = recordedPayload('gitea', 'pull-request-opened')
const COMMENT_EVENT = recordedPayload('gitea', 'comment-created')
const PUSH_EVENT = recordedPayload('gitea', 'push-branch')

export const tellings: Tellings = {
  push(world, repository, { ref, before, after, commits }, sender) {
    const by = { repository: describeRepository(world, repository), sender: describeAccount(world, sender) }
    if (after === ZERO) {
      const [, kind = '', name = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? []
      const payload = { ref: name, ref_type: kind === 'heads' ? 'branch' : 'tag', pusher_type: 'user', ...by }
      return { chosenBy: ['delete'], event: 'delete', action: null, payload }
    }
    const listed = commits.toReversed().map(({ id, message, timestamp, author, added, removed, modified }) => {
      const person = { ...author, username: author.name }
      const url = `${webOf(world, repository)}/commit/${id}`
      return {
        id,
        message,
        url,
        author: person,
        committer: person,
        verification: null,
        timestamp,
        added,
        removed,
        modified,
      }
    })
    const payload = {
      ...PUSH_EVENT,
      ref,
      before,
      after,
      compare_url: `${webOf(world, repository)}/compare/${before}...${after}`,
      commits: listed,
      total_commits: listed.length,
      head_commit: listed[0] ?? null,
      pusher: by.sender,
      ...by,
    }
    return { chosenBy: ['push'], event: 'push', action: null, payload }
  },
  pull(world, repository, pull, { action }) {
    const payload = {
      ...PULL_EVENT,
      action,
      number: pull.number,
      pull_request: describePull(world, repository, pull),
      repository: describeRepository(world, repository),
      sender: describeAccount(world, pull.author),
    }
    const narrow = action === 'synchronized' ? 'pull_request_sync' : 'pull_request_only'
    return { chosenBy: [narrow, 'pull_request'], event: 'pull_request', action, payload }
  },
  comment(world, repository, comment, action) {
    const pull = repository.pulls.get(comment.number)
    const page = `${webOf(world, repository)}/pulls/${comment.number}`
    const payload = {
      ...COMMENT_EVENT,
      action,
      issue: {
        ...fieldsOf(COMMENT_EVENT, 'issue'),
        id: pull?.id,
        number: comment.number,
        html_url: page,
        user: pull && describeAccount(world, pull.author),
        title: pull?.title,
        body: pull?.body ?? '',
        state: pull?.state,
        repository: {
          id: repository.id,
          name: repository.name,
          owner: repository.owner.login,
          full_name: fullNameOf(repository),
        },
      },
      pull_request: pull && describePull(world, repository, pull),
      comment: describeComment(world, repository, comment),
      repository: describeRepository(world, repository),
      sender: describeAccount(world, comment.author),
      is_pull: true,
    }
    return { chosenBy: ['pull_request_comment', 'issue_comment'], event: 'issue_comment', action, payload }
  },
  /** A push from the head of the default branch to itself. */
  test(world, repository) {
    const ref = `refs/heads/${repository.defaultBranch}`
    const head = repository.refs.get(ref) ?? ZERO
    const commits: never[] = []
    return tellings.push(
      world,
      repository,
      { ref, before: head, after: head, forced: false, commits },
      repository.owner,
    )
  },
  headers({ event, action, hook }, { guid, body }) {
    const type =
      action === 'synchronized' ? 'pull_request_sync' : event === 'issue_comment' ? 'pull_request_comment' : event
    const digest = createHmac('sha256', hook.secret ?? '')
      .update(body)
      .digest('hex')
    const named = ['gitea', 'gogs', 'github'].flatMap((name) => [
      [`x-${name}-event`, event],
      [`x-${name}-event-type`, type],
      [`x-${name}-delivery`, guid],
    ])
    const signed = hook.secret
      ? [
          ['x-gitea-signature', digest],
          ['x-gogs-signature', digest],
          ['x-hub-signature-256', `sha256=${digest}`],
        ]
      : []
    return Object.fromEntries([...named, ...signed])
  },
}
