import type { GitAppParams } from '@signalbox/contracts/git-apps'
import { type Command, Option } from 'commander'
import { type ApiOptions, apiCommand } from './context.ts'

type Provider = GitAppParams['provider']

export interface ProviderOptions extends ApiOptions {
  readonly provider: Provider
}

const PROVIDERS: readonly Provider[] = ['forge', 'github', 'gitea', 'forgejo', 'gitlab']

export function withProvider(command: Command): Command {
  return command.addOption(
    new Option('--provider <provider>', 'whose app; forge is the provider of the option forge_provider')
      .choices(PROVIDERS)
      .default('forge'),
  )
}

export function providerCommand(name: string, description: string): Command {
  return withProvider(apiCommand(name, description))
}
