import type { BodyOf } from '@signalbox/contracts/http/requests'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import type { Command } from 'commander'
import { exitCode } from '../exit-codes.ts'
import { escapeText } from '../output/escape.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { collectList, collectPair, readMoment } from './parse-arguments.ts'

interface TestOptions extends ApiOptions {
  readonly pipeline: string
  readonly scope: string
  readonly branch?: string
  readonly repository?: string
  readonly cause?: string
  readonly untrusted?: boolean
  readonly var?: Readonly<Record<string, string>>
  readonly step?: string
  readonly task?: string
  readonly image?: readonly string[]
  readonly commands?: string
  readonly now?: string
}

/** `knowledge test`: what an item would say to something that begins; nothing is stored and nothing starts. */
export function testCommand(context: Context): Command {
  return apiCommand('test', 'test an item against a run, step or task; exit 10 if it would block')
    .argument('<item>', 'identifier or id')
    .requiredOption('-p, --pipeline <pipeline>', 'identifier of the pipeline')
    .requiredOption('--scope <scope>', 'where it would run')
    .option('--branch <branch>', 'branch of the run')
    .option('--repository <name>', 'repository of the run, such as acme/shop')
    .option('--cause <cause>', 'event, request, rerun, schedule or external (default: request)')
    .option('--untrusted', 'its code comes from a fork')
    .option('--var <name=value>', 'variables of the run', collectPair)
    .option('--step <name>', 'a step that is about to begin')
    .option('--task <name>', 'a task that is about to begin; needs --step')
    .option('--image <image>', 'image of the task; further ones are of its services', collectList)
    .option('--commands <script>', 'script of the task')
    .option('--now <time>', 'another time than now, such as 2027-01-01T00:00:00Z', readMoment)
    .action(async (identifier: string, options: TestOptions) => {
      const request = { params: { id: identifier }, body: sampleOf(options) }
      const answer = await context.connect(options).call(knowledgeRoutes.testKnowledgeItem, request)
      const { at, applies, judged, violation } = answer
      if (violation !== null) context.finish(exitCode('runFailure'))
      if (options.json) return context.printJson(answer)
      if (violation !== null) return context.printLine(escapeText(violation))
      if (!applies) return context.printNote(`${identifier} does not apply in ${options.scope}.`)
      return context.printNote(judged ? `The ${at} would begin.` : `${identifier} is not judged when a ${at} begins.`)
    })
}

function sampleOf(options: TestOptions): BodyOf<typeof knowledgeRoutes.testKnowledgeItem> {
  const { step, task, image: images, commands } = options
  return {
    run: {
      pipeline: options.pipeline,
      scope: options.scope,
      branch: options.branch,
      repository: options.repository,
      cause: options.cause,
      untrusted: options.untrusted,
      variables: options.var,
    },
    step: step === undefined ? undefined : { name: step, images },
    task: task === undefined ? undefined : { name: task, image: images?.[0], images, commands },
    now: options.now,
  }
}
