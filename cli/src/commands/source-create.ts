import type { Command } from 'commander'
import { source } from '../client/answers.ts'
import { anything } from '../client/shape.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printFields, printJson } from './context.ts'
import { collectList, readRate } from './parse-arguments.ts'

interface CreateOptions extends ApiOptions {
  readonly team: string
  readonly provider: string
  readonly secret: string
  readonly repository: readonly string[]
  readonly authMode?: string
  readonly baseUrl?: string
  readonly readCredential?: string
  readonly readRepository?: boolean
  readonly reportStatus?: boolean
  readonly shared?: boolean
  readonly rate?: number
  readonly acknowledgeUnmapped?: boolean
}

export function createCommand(context: Context): Command {
  return apiCommand('create', 'make a source; prints the address to enter at the provider')
    .argument('<name>', 'unique among all sources')
    .requiredOption('-t, --team <path>', 'team that owns it')
    .requiredOption('--secret <secret>', 'stored secret that signs deliveries, such as acme/github')
    .requiredOption('-r, --repository <pattern>', 'owner/repository that may send; any number of times', collectList)
    .option('--provider <provider>', 'who sends', 'github')
    .option('--auth-mode <mode>', "signature, token or basic (default: the provider's own signature)")
    .option('--base-url <address>', "the provider's address, where it is not its public one")
    .option('--read-credential <secret>', 'stored secret that may read the repositories; without it they are public')
    .option('--read-repository', 'fetch manifests and changed files from the repositories')
    .option('--report-status', 'show at the provider what became of runs; needs --read-credential')
    .option('--shared', "triggers of every team may use it (default: of those who may see the source's team)")
    .option('--rate <n>', 'deliveries a minute at most (default: 600)', readRate)
    .option('--acknowledge-unmapped', 'answer 200 instead of 422 to events that nothing can use')
    .action(async (name: string, options: CreateOptions) => {
      const client = clientOf(context, options)
      const answer = await client.post('/v1/git-webhook-sources', anything, { body: documentOf(name, options) })
      if (options.json) return printJson(context, answer)
      const { id } = source(answer, 'source')
      return printFields(context, [
        ['source', id],
        ['payload URL', `${client.url}/v1/git/webhooks/${id}`],
        ['content type', 'application/json'],
        ['secret', `the value of ${options.secret}`],
      ])
    })
}

/** What is left out is left to the control plane. */
function documentOf(name: string, options: CreateOptions): Readonly<Record<string, unknown>> {
  const all = {
    name,
    provider: options.provider,
    team_path: options.team,
    credential_ref: referenceOf(options.secret),
    repository_allowlist: options.repository,
    auth_mode: options.authMode,
    base_url: options.baseUrl,
    checkout_credential_ref: options.readCredential === undefined ? undefined : referenceOf(options.readCredential),
    read_repository: options.readRepository,
    report_status: options.reportStatus,
    visibility: options.shared ? 'shared' : undefined,
    rate_limit: options.rate === undefined ? undefined : { per_minute: options.rate },
    acknowledge_unmapped: options.acknowledgeUnmapped,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function referenceOf(secret: string): string {
  return /^(secret|env):/.test(secret) ? secret : `secret:${secret}`
}
