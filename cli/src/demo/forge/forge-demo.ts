import type { Context } from '../../commands/context.ts'
import { savePipeline } from '../../commands/pipeline-apply.ts'
import { commandLine } from '../../processes/command-line.ts'
import { SCOPE, TEAM } from '../resources.ts'
import { connectApp } from './connect-app.ts'
import { shapes, tellForge } from './forge-control.ts'
import type { ForgeProduct } from './forge-product.ts'
import { connectPulls, prepareTeam, storeSession, withoutRunners } from './forge-resources.ts'
import { BRANCH, BRANCH_FILES, FIRST_FILES, PERSON, PIPELINE, PULL_TITLE, REPOSITORY, SECRET } from './project.ts'
import { followPushed, giveCommand, pushCommit } from './pull-request.ts'
import { pageOf, type Telling } from './telling.ts'

/**
 * The whole circle of a Git app, from outside: it is registered and installed, a push to a pull request starts a run, the
 * forge shows its check and a comment, and a command in a comment mends what failed. Answers how the last run ended.
 */
export async function tellForgeDemo(context: Context, product: ForgeProduct, once: boolean): Promise<string> {
  const { client, forge } = product
  const say = (title: string, detail: string): void =>
    context.printLine(`${context.paint('accent', title.padEnd(14))}${detail}`)
  const telling: Telling = { context, product, say }

  say('forge', `${forge.url}, a fake GitHub on this machine: it forgets everything when it ends`)
  const pullUrl = await furnishForge(telling)
  await prepareTeam(client)
  say('team', `${TEAM}, with the scope ${SCOPE}`)
  say('secret', `${TEAM}/${SECRET}: a session with a shop that is over`)
  const { pipeline } = await savePipeline(client, TEAM, PIPELINE)
  say('pipeline', `${pipeline.identifier}, version ${pipeline.version}`)

  // Disabled early: who hands tasks out hears of it a moment later.
  say('runner', 'disabled until the check shows that the run waits')
  context.printLine('')
  const pushed = await withoutRunners(client, async () => {
    const sourceId = await connectApp(telling)
    await connectPulls(client, sourceId, pipeline.identifier)
    say('trigger', `each commit of a pull request of ${REPOSITORY} starts ${pipeline.identifier}`)
    say('source', `${pageOf(product, `sources/${sourceId}`)} takes commands in comments`)
    context.printLine('')
    return { sourceId, ...(await pushCommit(telling, sourceId)) }
  })
  say('runner', 'enabled')
  await followPushed(telling, pushed)

  context.printLine('')
  await storeSession(client, 'open')
  say('secret', `${TEAM}/${SECRET}: a new session`)
  const status = await giveCommand(telling, pushed)

  context.printLine('')
  const next = once ? afterwards(telling) : whereNext(telling, { pullUrl, ...pushed })
  for (const line of next) context.printLine(line)
  return status
}

/** The forge before Signalbox comes to it; answers the page of its pull request. */
async function furnishForge({ product: { forge }, say }: Telling): Promise<string> {
  const commit = { repository: REPOSITORY, by: PERSON }
  const first = { ...commit, files: FIRST_FILES, message: 'Prices, and what checks them' }
  await tellForge(forge.controlUrl, 'POST /pushes', shapes.pushed, first)
  const change = { ...commit, ref: `refs/heads/${BRANCH}`, files: BRANCH_FILES, message: PULL_TITLE }
  await tellForge(forge.controlUrl, 'POST /pushes', shapes.pushed, change)
  const wanted = { ...commit, head: BRANCH, title: PULL_TITLE }
  const { number } = await tellForge(forge.controlUrl, 'POST /pulls', shapes.pull, wanted)
  const url = `${forge.url}/${REPOSITORY}/pull/${number}`
  say('pull request', `${url} "${PULL_TITLE}" of ${PERSON}`)
  return url
}

interface Shown {
  readonly pullUrl: string
  readonly sourceId: string
  readonly runId: string
}

function whereNext(
  { context: { paint, surroundings }, product }: Telling,
  { pullUrl, sourceId, runId }: Shown,
): readonly string[] {
  const signalbox = commandLine(surroundings.cwd, product.dataDir)
  return [
    paint('strong', 'Where to look next'),
    `  ${pullUrl}  (comment there as ${PERSON}: /help, /why, /rerun)`,
    `  ${pageOf(product, 'system/git-apps')}`,
    `  ${pageOf(product, `runs/${runId}`)}`,
    `  ${signalbox} git-app doctor`,
    `  ${signalbox} source deliveries ${sourceId}`,
    `  ${signalbox} source commands ${sourceId}`,
    `  ${signalbox} run reports ${runId}`,
    ...(product.tokenFile === undefined ? [] : [`  the page asks for the token in ${product.tokenFile}`]),
  ]
}

function afterwards({ context: { paint, surroundings }, product }: Telling): readonly string[] {
  const signalbox = commandLine(surroundings.cwd, product.dataDir)
  return [`${paint('strong', 'To look at it:')} ${signalbox} up  ${paint('quiet', '(the forge is gone)')}`]
}
