import type { PushExplanation, PushFinding } from '@signalbox/contracts/sources'
import { pushExplanationRoutes } from '@signalbox/contracts/sources/routes'
import type { Command } from 'commander'
import { escapeText } from '../output/escape.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { printFindings } from './findings.ts'
import { readPullRequest } from './parse-arguments.ts'

interface PushOptions extends ApiOptions {
  readonly commit?: string
  readonly ref?: string
  readonly tag?: string
  readonly pullRequest?: number
  readonly delivery?: string
}

/** `why push`: what a push, tag or pull request started, or why it started nothing, and what to do then. */
export function whyPushCommand(context: Context): Command {
  return apiCommand('push', 'explain what a push, tag or pull request started, or why it started nothing')
    .argument('[repository]', '<owner>/<name>; not needed with --delivery')
    .option('--commit <sha>', 'this commit, or its first digits')
    .option('--ref <ref>', 'the branch, tag or full ref')
    .option('--tag <tag>', 'the tag')
    .option('--pull-request <number>', 'the pull request', readPullRequest)
    .option('--delivery <id>', "the delivery, by the id of its record or the provider's own id")
    .action(async (repository: string | undefined, options: PushOptions) => {
      const { commit, ref, tag, pullRequest, delivery } = options
      const query = { repository, commit_sha: commit, ref, tag, pull_request: pullRequest, delivery_id: delivery }
      const found = await context.connect(options).call(pushExplanationRoutes.explainPush, { query })
      return options.json ? context.printJson(found) : printExplanation(context, found)
    })
}

function printExplanation(context: Context, found: PushExplanation): void {
  for (const finding of found.findings) printFinding(context, finding)
  if (found.what_to_do.length > 0) {
    context.printLine('\nWhat to do:')
    printFindings(context, found.what_to_do)
  }
  if (found.left_out.length > 0) {
    context.printLine('\nLeft out:')
    for (const sentence of found.left_out) context.printLine(escapeText(sentence))
  }
}

/** What others wrote is beside the sentence, never in it. */
function printFinding(context: Context, finding: PushFinding): void {
  printFindings(context, [finding])
  const { rule, expected, seen, told } = finding
  const entry = rule?.layer === 'repository_manifest' ? rule.name : undefined
  const parts = [
    ['entry', entry],
    ['expected', expected],
    ['seen', seen],
    ['reason', told],
  ] as const
  for (const [name, text] of parts) if (text !== undefined) context.printLine(`  ${name}: ${escapeText(text)}`)
}
