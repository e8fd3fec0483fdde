import { commandRoutes } from '@signalbox/contracts/commands/routes'
import { CommandFailed } from '../../errors.ts'
import { escapeText } from '../../output/escape.ts'
import { watchRun } from '../../runs/watch.ts'
import { findRunOf } from '../deliver.ts'
import { shapes, tellForge, until } from './forge-control.ts'
import { BRANCH, PERSON, PUSHED_FILES, PUSHED_MESSAGE, REPOSITORY } from './project.ts'
import { findCheck, type Pushed, showCheck } from './show-check.ts'
import { pageOf, type Telling } from './telling.ts'

const COMMAND = '/rerun failed'
/** The pull request is the first of the forge. */
const NUMBER = 1
const WEBHOOK = 'pull_request.synchronize'
/** Lines of the log that the tasks mark for the check. */
const MARKS = 2
const COMMENTS = `GET /comments?repository=${REPOSITORY}&number=${NUMBER}`

/** Pushes a commit to the pull request, and shows the check of the run that waits. */
export async function pushCommit(telling: Telling, sourceId: string): Promise<Pushed> {
  const pushed = await push(telling, sourceId)
  const { name, status, output } = await findCheck(telling.product.forge.controlUrl, pushed, () => true)
  telling.say('check', `${name} of ${pushed.sha.slice(0, 10)}: ${status}, ${escapeText(output.title ?? '')}`)
  return pushed
}

/** Follows the run of a commit to its end, and shows what the forge was told of it. */
export async function followPushed(telling: Telling, pushed: Pushed): Promise<void> {
  const { context, product } = telling
  context.printLine('')
  await watchRun(context, product.client, pushed.runId)
  context.printLine('')
  await showCheck(telling, pushed, MARKS)
  await showComment(telling)
}

async function push({ product, say }: Telling, sourceId: string): Promise<Pushed> {
  const { controlUrl } = product.forge
  const commit = {
    repository: REPOSITORY,
    ref: `refs/heads/${BRANCH}`,
    files: PUSHED_FILES,
    message: PUSHED_MESSAGE,
    by: PERSON,
  }
  const { after: sha } = await tellForge(controlUrl, 'POST /pushes', shapes.pushed, commit)
  say('git push', `${sha.slice(0, 10)} "${PUSHED_MESSAGE}" by ${PERSON} to ${BRANCH}`)
  const delivered = await until('The webhook of the push', async () => {
    const sent = await tellForge(controlUrl, 'GET /deliveries', shapes.deliveries)
    return sent.find(({ event, action, status_code: code }) => code > 0 && `${event}.${action}` === WEBHOOK)
  })
  say('webhook', `${WEBHOOK} ${delivered.guid}, signed by the forge`)
  say('answer', String(delivered.status_code))
  const runId = await findRunOf(product.client, sourceId, delivered.guid)
  say('run', pageOf(product, `runs/${runId}`))
  return { sha, runId }
}

async function showComment({ context, product, say }: Telling): Promise<void> {
  const comment = await until('The comment in the pull request', async () => {
    const found = await tellForge(product.forge.controlUrl, COMMENTS, shapes.comments)
    return found.find(({ user }) => user.login.endsWith('[bot]'))
  })
  say('comment', `${comment.html_url} by ${comment.user.login}, edited in place at most once a minute:`)
  for (const line of comment.body.split('\n')) if (line.startsWith('|')) context.printLine(`  ${escapeText(line)}`)
}

/** A person with write permission comments; answers how the run ended that came of it. */
export async function giveCommand(
  telling: Telling,
  { sourceId, sha }: { readonly sourceId: string; readonly sha: string },
): Promise<string> {
  const { context, product, say } = telling
  const { client } = product
  const { controlUrl } = product.forge
  const posted = { repository: REPOSITORY, number: NUMBER, by: PERSON, body: COMMAND }
  const { id } = await tellForge(controlUrl, 'POST /comments', shapes.made, posted)
  say('comment', `${PERSON}, who may write to ${REPOSITORY}: ${COMMAND}`)
  const command = await until('The answer to the command', async () => {
    const query = { source_id: sourceId }
    const known = await client.list(commandRoutes.listCommentCommands, { query, limit: 20 })
    return known.find((each) => each.comment_id === String(id) && each.told_at !== null)
  })
  const comments = await tellForge(controlUrl, COMMENTS, shapes.comments)
  const done = comments.find((each) => each.id === id)?.reactions['+1'] === 1
  say('reaction', done ? '+1' : 'none')
  const [runId] = command.run_ids
  if (runId === undefined) throw new CommandFailed('unexpected', `The command started nothing: ${command.reason}`)
  say('run', pageOf(product, `runs/${runId}`))
  context.printLine('')
  const { status } = await watchRun(context, client, runId)
  context.printLine('')
  await showCheck(telling, { sha, runId }, 0)
  return status
}
