import { textOf } from '../fields.ts'
import { type Call, Refusal } from '../http/call.ts'
import type { Route } from '../http/route.ts'
import type { Events } from './events.ts'
import { escape, page } from './html.ts'
import {
  accountOf,
  type CheckRun,
  type Comment,
  findRepository,
  fullNameOf,
  type PullRequest,
  type Repository,
  type World,
} from './world.ts'

const PULL = '/{owner}/{repo}/pull/{number}'

/** The page of a pull request: its checks and comments, and a field for the next comment. */
export function pullPageRoutes(world: World, events: Pick<Events, 'addComment'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: PULL,
      handle(call) {
        const { repository, pull } = pullOf(world, call)
        return page(200, `${pull.title} #${pull.number}`, describe(repository, pull))
      },
    },
    {
      method: 'POST',
      path: `${PULL}/comments`,
      handle(call) {
        const { repository, pull } = pullOf(world, call)
        if (!isOwnPage(call)) return page(403, 'Forbidden', '<p id="error">The form of another site.</p>')
        const [by, body] = [textOf(call.body, 'by') ?? '', textOf(call.body, 'body') ?? '']
        if (by === '' || body === '') return page(422, 'Nothing to post', '<p id="error">Write a name and a text.</p>')
        events.addComment(repository, { number: pull.number, author: accountOf(world, by), app: null, body })
        return { status: 303, headers: { location: `${world.url}/${fullNameOf(repository)}/pull/${pull.number}` } }
      },
    },
  ]
}

/** Any other site that the person has open could post here, and so begin runs on this machine. */
function isOwnPage({ headers }: Call): boolean {
  return ['same-origin', undefined].includes(headers['sec-fetch-site']?.toString())
}

function pullOf(world: World, { params }: Call): { readonly repository: Repository; readonly pull: PullRequest } {
  const repository = findRepository(world, `${params['owner']}/${params['repo']}`)
  const pull = repository?.pulls.get(Number(params['number']))
  if (!repository || !pull) throw new Refusal(page(404, 'Not found', '<p id="error">No such pull request.</p>'))
  return { repository, pull }
}

function describe(repository: Repository, pull: PullRequest): string {
  const { headRef, headSha, baseRef, author, state, number } = pull
  const checks = [...repository.checkRuns.values()].filter((check) => check.headSha === headSha)
  const comments = [...repository.comments.values()].filter((comment) => comment.number === number)
  const path = `/${fullNameOf(repository)}/pull/${number}`
  return `<p>${escape(author.login)} wants to merge <code>${escape(headRef)}</code> at <code>${escape(headSha)}</code>
      into <code>${escape(baseRef)}</code>: ${state}.</p>
    <h2>Checks</h2>
    ${checks.toReversed().map(describeCheck).join('') || '<p>None.</p>'}
    <h2>Comments</h2>
    ${comments.map(describeComment).join('') || '<p>None.</p>'}
    <form method="post" action="${escape(path)}/comments">
      <p><label>As <input name="by" value="${escape(author.login)}"></label></p>
      <p><label>Comment<br><textarea name="body" rows="4" cols="60"></textarea></label></p>
      <button type="submit">Comment</button>
    </form>`
}

function describeCheck(check: CheckRun): string {
  const { id, name, status, conclusion, title, summary, annotations, detailsUrl } = check
  const marks = annotations.map(
    ({ path, start_line: line, annotation_level: level, title: heading, message }) =>
      `<li>${escape(path)}:${line} ${escape(level)}: ${escape(heading ?? '')} ${escape(message)}</li>`,
  )
  const details =
    detailsUrl !== null && /^https?:/.test(detailsUrl) ? `<a href="${escape(detailsUrl)}">Details</a>` : ''
  return `<section id="check-${id}">
      <h3>${escape(name)}: ${escape(conclusion ?? status)}</h3>
      <p>${escape(title ?? '')} ${details}</p>
      <pre>${escape(summary ?? '')}</pre>
      <ul>${marks.join('')}</ul>
    </section>`
}

/** The Markdown of a comment is shown as it is. */
function describeComment({ id, author, body, reactions }: Comment): string {
  const shown = reactions.map((reaction) => `${escape(reaction.content)} by ${escape(reaction.author.login)}`)
  return `<section id="issuecomment-${id}">
      <h3>${escape(author.login)}</h3>
      <pre>${escape(body)}</pre>
      <p>${shown.join(', ')}</p>
    </section>`
}
