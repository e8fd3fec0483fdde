import { Event } from '@signalbox/contracts/event'
import { Compile } from 'typebox/compile'
import { sha256 } from '#platform/crypto'
import { principalOf } from '#platform/http'
import { Problem } from '#platform/problems'
import type { Means } from '../means.ts'
import { asDelivered, type Command, judgeShown, judgeTold, parseComment, type ToldComment } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { explainPullRequest, listForms } from './answer-question.ts'
import { approveFork, approveStep } from './approve-commit.ts'
import { reachProvider } from './ask-provider.ts'
import { cancelPullRequest } from './cancel-runs.ts'
import type { AskedCommand, Effect } from './command-effect.ts'
import { CommandRefused, ProviderAway } from './refuse-command.ts'
import { repeatRuns } from './repeat-runs.ts'
import { startPipeline } from './start-pipeline.ts'

/** How long a provider that gives no answer is asked again; then the command fails. */
const PATIENCE_MS = 15 * 60_000

/**
 * Decides about a command that waits: asks the provider for the comment as it is now and for what the author may do, and
 * carries the command out in the transaction that marks it as done. Called again, and by two processes at once, it does so
 * once. Throws ProviderAway where a later try may find more.
 */
export async function carryOut(means: Means, row: store.StoredCommand, signal: AbortSignal): Promise<void> {
  const read: Read = { line: null, verb: null }
  try {
    const effect = await decide(means, row, read, signal)
    if (effect) return await commit(means, row, read, effect)
    await settle(means, row, read, { state: 'done', outcome: 'ignored', reason: 'The comment holds no command.' })
  } catch (error) {
    await settle(means, row, read, refusalOf(means, row, error))
  }
}

interface Read {
  line: string | null
  verb: store.Decided['verb']
}

type Settled = Pick<store.Decided, 'state' | 'outcome' | 'reason'>

function refusalOf(means: Means, row: store.StoredCommand, error: unknown): Settled {
  if (error instanceof CommandRefused) return { state: 'refused', outcome: error.outcome, reason: error.message }
  if (error instanceof ProviderAway) {
    if (means.clock.now().getTime() - row.receivedAt.getTime() < PATIENCE_MS) throw error
    return { state: 'failed', outcome: 'provider_failed', reason: error.message }
  }
  // What cannot be known now is asked again.
  if (!(error instanceof Problem) || error.status >= 500) throw error
  const moved = error.code === 'run.head_moved' || error.code === 'approval.commit_differs'
  const denied = error.status === 403 || error.code === 'approval.not_approver'
  const outcome = moved ? 'head_moved' : denied ? 'not_permitted' : 'not_possible'
  return { state: 'refused', outcome, reason: error.message }
}

/** Undefined: the comment holds nothing for this service. Throws CommandRefused, ProviderAway, and problems of other rooms. */
async function decide(
  means: Means,
  row: store.StoredCommand,
  read: Read,
  signal: AbortSignal,
): Promise<Effect | undefined> {
  const source = await means.sources.findCommanded(means.database.kysely, row.sourceId)
  if (!source?.enabled || !source.commentCommands) {
    throw new CommandRefused('switched_off', 'The source takes no commands any more.')
  }
  const event = readEvent(row.event)
  if (!source.admits(row.repository)) {
    throw new CommandRefused('switched_off', 'The source does not admit the repository any more.')
  }
  const ownLogin = await means.gitApps.botLoginOf(source.id)
  const told = toldOf(row, event)
  refuse(judgeTold(told, ownLogin))
  const provider = reachProvider({ means, source, row, event, signal })
  const shown = await provider.findComment()
  if (!shown) throw new CommandRefused('deleted', 'The provider does not show the comment any more.')
  const words = asDelivered(shown.body)
  const bodySha256 = sha256(words).toString('hex')
  refuse(judgeShown(told, { ...shown, bodySha256 }, ownLogin))
  // No word that was not compared: what stands behind them may have been added.
  const parsed = parseComment(words)
  if (parsed.kind === 'none') return undefined
  read.line = parsed.line
  // The login of today: the provider is asked by it, and answers with the id that it compares.
  const author = event.comment?.author
  const login = shown.authorLogin ?? row.authorLogin
  const person = { id: row.authorId, login, name: author?.name ?? null, email: null, bot: author?.bot ?? null }
  const asked: AskedCommand = { means, row, event: saying(event, parsed.line), source, provider, person }
  if (parsed.kind === 'command') {
    read.verb = parsed.command.verb
    return await effectOf(asked, parsed.command)
  }
  // Who may not write is not told how commands are written.
  const mayWrite = await provider.mayWrite(person)
  if (parsed.kind === 'unknown') {
    if (!mayWrite) return undefined
    throw new CommandRefused('malformed', 'That is no command: write /help to see those that you may give.')
  }
  read.verb = parsed.verb
  if (!mayWrite) throw new CommandRefused('not_permitted', 'The provider does not say that you may write here.')
  throw new CommandRefused('malformed', parsed.fault)
}

function refuse(refusal: ReturnType<typeof judgeTold>): void {
  if (refusal) throw new CommandRefused(refusal.outcome, refusal.reason)
}

const checkEvent = Compile(Event)

function readEvent(stored: unknown): Event {
  if (checkEvent.Check(stored)) return stored
  throw new CommandRefused('not_possible', 'The comment was stored by another version of this service.')
}

function toldOf(row: store.StoredCommand, { comment, sender, occurred_at: postedAt }: Event): ToldComment {
  return {
    bodySha256: row.bodySha256.toString('hex'),
    authorId: row.authorId,
    authorLogin: row.authorLogin,
    isBot: comment?.author?.bot === true || sender?.bot === true,
    postedAt,
    receivedAt: row.receivedAt,
  }
}

/** Conditions of pipelines see the command. */
function saying(event: Event, line: string): Event {
  return { ...event, comment: event.comment && { ...event.comment, body: line } }
}

function effectOf(asked: AskedCommand, command: Command): Promise<Effect> {
  switch (command.verb) {
    case 'run':
      return startPipeline(asked, command)
    case 'rerun':
      return repeatRuns(asked, command)
    case 'cancel':
      return cancelPullRequest(asked)
    case 'approve':
      return approveStep(asked, command.step, command.sha)
    case 'ok-to-test':
      return approveFork(asked, command.sha)
    case 'why':
      return explainPullRequest(asked)
    case 'help':
      return listForms(asked)
    default:
      return command satisfies never
  }
}

async function commit(means: Means, row: store.StoredCommand, read: Read, effect: Effect): Promise<void> {
  const { outcome, reason, actor, repeatedRunIds = [] } = effect
  const done = await means.database.transaction(async (tx) => {
    if (!(await store.lockWaiting(tx, row.id))) return false
    const runIds = await effect.work(tx)
    await store.decideCommand(tx, row.id, {
      state: 'done',
      outcome,
      reason,
      command: read.line,
      verb: read.verb,
      subject: actor && principalOf(actor.caller),
      runIds,
      repeatedRunIds,
      isSilent: false,
      at: means.clock.now(),
    })
    means.failPoints.hit('commands.before_commit')
    return true
  })
  if (!done) return
  means.failPoints.hit('commands.after_commit')
  effect.done?.()
  means.onRunsQueued()
  means.commandMetrics.decided(read.verb ?? 'none', outcome)
}

async function settle(means: Means, row: store.StoredCommand, read: Read, settled: Settled): Promise<void> {
  const done = await means.database.transaction(async (tx) => {
    if (!(await store.lockWaiting(tx, row.id))) return false
    await store.decideCommand(tx, row.id, {
      ...settled,
      command: read.line,
      verb: read.verb,
      subject: null,
      runIds: [],
      repeatedRunIds: [],
      at: means.clock.now(),
      isSilent: isSilent(settled),
    })
    return true
  })
  if (done) means.commandMetrics.decided(read.verb ?? 'none', settled.outcome)
}

/** Nobody waits for an answer to these, and a bot would answer the answer. */
function isSilent({ outcome }: Settled): boolean {
  return ['ignored', 'bot', 'deleted', 'switched_off'].includes(outcome)
}
