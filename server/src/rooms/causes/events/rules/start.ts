import { type Event, isAboutPullRequest } from '@signalbox/contracts/event'

export interface StartablePipeline {
  readonly teamPath: string
}

/** The facts that decide whether a run may start. */
export interface StartFacts {
  readonly event: Event
  readonly pipelineName: string
  readonly scope: string
  /** Undefined: there is no such pipeline any more, or its newest version cannot run. */
  readonly pipeline: StartablePipeline | undefined
  readonly ownerName: string
  /** False: the owner is gone or disabled. */
  readonly ownerIsThere: boolean
  readonly ownerMaySee: boolean
  readonly ownerMayStart: boolean
  readonly ownerMayUseScope: boolean
  /** Only asked for pull requests from forks. */
  readonly scopeProtected: boolean
  /** False: the event was posted without a signature by somebody who may not start the pipeline in the scope. */
  readonly posterMayStart: boolean
  /** Why there is no commit to check out; undefined: there is one, or the run needs none. */
  readonly commitFault: string | undefined
  /** Whether a task wants the files of a repository whose provider left out where it lies. */
  readonly lacksAddress: boolean
  /** The fault of the address to clone from; undefined: the address is good, or there is none. */
  readonly addressFault: string | undefined
}

const NO_ADDRESS =
  'The delivery names no address to clone from, so tasks would start in an empty folder. Set base_url of its source to the ' +
  "provider's address, or write checkout: false in the pipeline."
const NO_COMMIT = 'The pull request comes from a fork or an unknown place, and its commit is not known.'

/** Why the run may not start, as a sentence; undefined when it may. */
export function findRefusal(facts: StartFacts): string | undefined {
  if (!facts.ownerIsThere) return `The owner of the trigger, ${facts.ownerName}, does not exist any more.`
  // One sentence: a manifest that names other teams' pipelines must not tell which of them there are.
  if (!facts.pipeline || !facts.ownerMaySee) {
    return `The pipeline ${facts.pipelineName} does not exist or cannot run, or ${facts.ownerName} may not see it.`
  }
  if (!facts.ownerMayStart) {
    return `${facts.ownerName} lacks the permission run.start on ${facts.pipeline.teamPath} for ${facts.pipelineName}.`
  }
  if (!facts.ownerMayUseScope) return `${facts.ownerName} may not use the scope ${facts.scope}.`
  if (!facts.posterMayStart) {
    return (
      `The poster of an event without a signature must be allowed to start ${facts.pipelineName} in ${facts.scope}. ` +
      'An event with a clone address needs the right to change that pipeline, too.'
    )
  }
  if (facts.addressFault !== undefined) return `repository.clone_url ${facts.addressFault}.`
  if (facts.lacksAddress) return NO_ADDRESS
  if (facts.commitFault !== undefined) return facts.commitFault
  if (!isFromFork(facts.event)) return undefined
  // An approval is one of a pull request by its number.
  if (isOfUnknownOrigin(facts.event)) {
    return 'The event names a commit without its branch: it may be of a fork, and nothing says of which pull request.'
  }
  if (facts.event.pull_request === null) return 'The event does not say which pull request it is about.'
  if (facts.scopeProtected) {
    return `The pull request comes from a fork or an unknown place, and the scope ${facts.scope} is protected.`
  }
  // An approval binds to a commit; of nothing it would bind to whatever comes later.
  if (facts.event.after === null) return NO_COMMIT
  return undefined
}

/**
 * People who can open a pull request from a fork are not trusted. Such runs get no secrets and no protected scope, and
 * a member approves. An event of unknown origin counts as from a fork. So do events other than a push that name a
 * commit without a branch.
 */
export function isFromFork(event: Event): boolean {
  const { kind, pull_request: pullRequest } = event
  if (pullRequest !== null) return pullRequest.from_fork
  return isAboutPullRequest(kind) || isOfUnknownOrigin(event)
}

/** Bots deploy previews of pull requests from forks, and the checks of those can be asked for once more. */
function isOfUnknownOrigin({ kind, branch, tag }: Event): boolean {
  return (kind === 'deployment' || kind === 'deployment_status' || kind === 'check') && branch === null && tag === null
}
