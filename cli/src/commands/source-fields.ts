import type { Command } from 'commander'
import type { ApiOptions } from './context.ts'
import { collectList, readRate } from './parse-arguments.ts'

/** The options that say what a source is. */
export interface SourceOptions extends ApiOptions {
  readonly team?: string
  readonly provider?: string
  readonly secret?: string
  readonly repository?: readonly string[]
  readonly authMode?: string
  readonly baseUrl?: string
  readonly readCredential?: string
  readonly readRepository?: boolean
  readonly reportStatus?: boolean
  readonly commentCommands?: boolean
  readonly shared?: boolean
  readonly rate?: number
  readonly acknowledgeUnmapped?: boolean
}

/** Adds the options; each switch has its `--no-`, and an empty text takes away what may be absent. */
export function withSourceOptions(command: Command): Command {
  return command
    .option('-t, --team <path>', 'team that owns it')
    .option('--secret <secret>', 'stored secret that signs deliveries, such as acme/github; or app:github')
    .option('-r, --repository <pattern>', 'owner/repository that may send; any number of times', collectList)
    .option('--provider <provider>', 'who sends; github unless given')
    .option('--auth-mode <mode>', "signature, token or basic (default: the provider's own signature)")
    .option('--base-url <address>', 'the provider\'s address, where it is not its public one; "" for that')
    .option(
      '--read-credential <secret>',
      'stored secret that may read the repositories, or app:github; "" where they are public',
    )
    .option('--read-repository', 'fetch manifests and changed files from the repositories')
    .option('--no-read-repository', 'do not')
    .option('--report-status', 'show at the provider what became of runs; needs --read-credential')
    .option('--no-report-status', 'do not')
    .option('--comment-commands', 'carry out commands in comments, such as /run; needs --read-credential')
    .option('--no-comment-commands', 'do not')
    .option('--shared', "triggers of every team may use it (default: of people who may see the source's team)")
    .option('--no-shared', "only triggers of people who may see the source's team")
    .option('--rate <n>', 'deliveries a minute at most; 600 unless given', readRate)
    .option('--acknowledge-unmapped', 'answer 200 instead of 422 to events that nothing can use')
    .option('--no-acknowledge-unmapped', 'answer them 422')
}

/** The given fields, as the API names them; the control plane decides about the others. */
export function readSourceFields(options: SourceOptions): Record<string, unknown> {
  const { secret, shared, rate } = options
  const all = {
    provider: options.provider,
    team_path: options.team,
    credential_ref: secret === undefined ? undefined : referenceOf(secret),
    repository_allowlist: options.repository,
    auth_mode: options.authMode,
    base_url: options.baseUrl === '' ? null : options.baseUrl,
    checkout_credential_ref: readCredentialOf(options),
    read_repository: options.readRepository,
    report_status: options.reportStatus,
    comment_commands: options.commentCommands,
    visibility: shared === undefined ? undefined : shared ? 'shared' : 'private',
    rate_limit: rate === undefined ? undefined : { per_minute: rate },
    acknowledge_unmapped: options.acknowledgeUnmapped,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function readCredentialOf({ readCredential }: SourceOptions): string | null | undefined {
  if (readCredential === undefined) return undefined
  return readCredential === '' ? null : referenceOf(readCredential)
}

function referenceOf(secret: string): string {
  return /^(secret|env|app):/.test(secret) ? secret : `secret:${secret}`
}
