import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Context } from '../commands/context.ts'
import { commandLine, shellWord } from '../processes/command-line.ts'
import type { Product } from '../processes/product.ts'
import { watchRun } from '../runs/watch.ts'
import { deliver, findRunOf } from './deliver.ts'
import { placeRepositories } from './place-repositories.ts'
import { openRepository } from './repository.ts'
import {
  ensurePipeline,
  ensureSecrets,
  ensureSource,
  ensureTeam,
  ensureTrigger,
  REPOSITORY,
  SCOPE,
  TEAM,
} from './resources.ts'

/** GitHub's numbers of repositories are integers. */
const REPOSITORY_NUMBER = 4711

/**
 * The main job of the product, seen from outside: a push to a real repository, delivered and signed as GitHub does,
 * becomes a finished run. Answers the status that the run ended with. With `once` nothing serves afterwards.
 */
export async function tellDemo(context: Context, product: Product, once: boolean): Promise<string> {
  const { paint, surroundings } = context
  const { client, url, dataDir } = product
  const say = (title: string, detail: string): void =>
    context.printLine(`${paint('accent', title.padEnd(12))}${detail}`)
  const folder = join(dataDir, 'demo')

  const fresh = await ensureTeam(client)
  say('team', `${TEAM}, with the scope ${SCOPE}${fresh ? '' : ' (found again)'}`)
  const webhookSecret = await ensureSecrets(client, join(folder, 'webhook-secret'))
  say('secrets', 'one for signing deliveries, one for the pipeline; stored sealed')
  const repository = await openRepository(placeRepositories(dataDir), surroundings.env)
  say('repository', repository.cloneUrl)
  const pipeline = await ensurePipeline(client)
  say('pipeline', `${pipeline.identifier}, version ${pipeline.version}`)
  const sourceId = await ensureSource(client)
  say('source', `${url}/v1/git/webhooks/${sourceId}`)
  await ensureTrigger(client, sourceId, pipeline.identifier)
  say('trigger', `a push to main of ${REPOSITORY} starts ${pipeline.identifier}`)

  context.printLine('')
  const { before, after, commit } = await repository.push()
  say('git push', `${after.slice(0, 10)} "${commit.message}"`)
  const deliveryId = randomUUID()
  const delivered = await deliver(url, sourceId, {
    repository: { id: REPOSITORY_NUMBER, fullName: REPOSITORY, cloneUrl: repository.cloneUrl, defaultBranch: 'main' },
    ref: 'refs/heads/main',
    before,
    after,
    commits: [commit],
    secret: webhookSecret,
    deliveryId,
  })
  say('delivery', `X-Hub-Signature-256: ${delivered.signature.slice(0, 23)}…`)
  say('answer', `${delivered.status} ${delivered.body}`)
  const runId = await findRunOf(client, sourceId, deliveryId)
  say('run', runId)
  context.printLine('')

  const run = await watchRun(context, client, runId)
  context.printLine('')
  const next = once ? afterwards(context, product) : whereNext(context, product, sourceId, runId)
  for (const line of next) context.printLine(line)
  return run.status
}

function whereNext(
  { paint, surroundings }: Context,
  product: Product,
  sourceId: string,
  runId: string,
): readonly string[] {
  const signalbox = commandLine(surroundings.cwd, product.dataDir)
  const bearer = product.tokenFile === undefined ? '$BOOTSTRAP_ADMIN_TOKEN' : `$(cat ${shellWord(product.tokenFile)})`
  return [
    paint('strong', 'Where to look next'),
    `  ${product.pageUrl}`,
    `  ${product.url}/docs/api`,
    `  ${signalbox} run list`,
    `  ${signalbox} run show ${runId}`,
    `  ${signalbox} run logs ${runId}`,
    `  ${signalbox} run rerun ${runId} --follow`,
    `  ${signalbox} source deliveries ${sourceId}`,
    `  curl -H "Authorization: Bearer ${bearer}" ${product.url}/v1/runs`,
    `  ${paint('quiet', `logs of the product: ${join(product.dataDir, 'logs')}`)}`,
  ]
}

function afterwards({ paint, surroundings }: Context, { dataDir }: Product): readonly string[] {
  return [
    `${paint('strong', 'To look at it:')} ${commandLine(surroundings.cwd, dataDir)} up`,
    `  ${paint('quiet', `logs of the product: ${join(dataDir, 'logs')}`)}`,
  ]
}
