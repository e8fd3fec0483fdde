import { branchOf, findAddressFault, fullRef } from '@signalbox/contracts/repository'
import type { RunStart } from '@signalbox/contracts/runs'
import { checksOut, type Graph, startsPipelines } from '@signalbox/pipeline/graph'
import type { Caller } from '#platform/http'
import type { CheckoutFinder, FoundCheckout, Means } from '../means.ts'
import { wrong } from './authorize-run.ts'
import type { NewRun } from './queue-runs.ts'

type Checkout = Pick<
  NewRun,
  'repository' | 'ref' | 'branch' | 'cloneUrl' | 'commitSha' | 'checkoutCredentialRef' | 'note'
>

interface Asked {
  readonly caller: Caller
  readonly input: RunStart
  readonly graph: Graph | undefined
  readonly teamPath: string
}

/** Refuses a wrong place in a request before anything is looked up. */
export function requirePlace(means: Means, input: RunStart): void {
  const fault = findAddressFault(input.clone_url, means.config.localRepositories)
  if (fault !== undefined) throw wrong('clone_url', `clone_url ${fault}.`)
  if (input.commit_sha !== undefined && input.clone_url === undefined) {
    throw wrong('clone_url', 'Give clone_url with commit_sha: it says where the commit is.')
  }
  if (input.clone_url !== undefined && input.commit_sha === undefined) {
    throw wrong(
      'commit_sha',
      'Give commit_sha with clone_url: all tasks of a run are of one commit, a branch may move.',
    )
  }
}

/**
 * The checkout of a run on request. A run that names a repository has its commit, or is refused: an empty folder would
 * be green with the wrong files. A run without a repository says that its tasks start in an empty folder.
 */
export async function chooseCheckout(findCheckout: CheckoutFinder, asked: Asked): Promise<Checkout> {
  const { input, graph } = asked
  const ref = fullRef(input.ref)
  const branch = branchOf(ref)
  const named = { repository: input.repository, ref, branch }
  if (input.clone_url !== undefined) return { ...named, cloneUrl: input.clone_url, commitSha: input.commit_sha }
  if (graph === undefined) return named
  if (!checksOut(graph)) return startsPipelines(graph) ? findForChildren(findCheckout, asked, named) : named
  if (input.repository === undefined && ref === undefined) return { note: EMPTY }
  return { ...named, ...(await findNamed(findCheckout, asked, ref)) }
}

const EMPTY = 'No repository: tasks start in an empty folder.'

async function findNamed(
  findCheckout: CheckoutFinder,
  { caller, input, teamPath }: Asked,
  ref: string | undefined,
): Promise<Partial<Checkout>> {
  const { repository } = input
  if (repository === undefined) {
    throw wrong('repository', 'Give repository with ref, such as acme/shop, or write checkout: false in the pipeline.')
  }
  if (ref === undefined) throw wrong('ref', `Give ref with repository: a branch or a tag of ${repository}.`)
  if (!isBranchOrTag(ref)) {
    throw wrong('ref', `${ref} is neither a branch nor a tag; the code of a pull request is run by its events alone.`)
  }
  const found = await findCheckout(caller, { repository, ref, teamPath })
  if ('problem' in found) throw wrong(found.field, found.problem)
  return checkoutOf(found)
}

/** A pipeline that this one starts may check out. Where nothing is found, such a child is refused and not this run. */
async function findForChildren(findCheckout: CheckoutFinder, asked: Asked, named: Checkout): Promise<Checkout> {
  const { caller, teamPath } = asked
  const { repository, ref } = named
  if (repository === undefined || ref === undefined || !isBranchOrTag(ref)) return named
  const found = await findCheckout(caller, { repository, ref, teamPath })
  return 'problem' in found ? named : { ...named, ...checkoutOf(found) }
}

function checkoutOf({ cloneUrl, commitSha, checkoutCredentialRef }: FoundCheckout): Partial<Checkout> {
  return { cloneUrl, commitSha, checkoutCredentialRef: checkoutCredentialRef ?? undefined }
}

function isBranchOrTag(ref: string): boolean {
  return branchOf(ref) !== undefined || ref.startsWith('refs/tags/')
}
