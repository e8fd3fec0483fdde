import { isUnavailable } from '#platform/database'
import type { KnowledgeSnapshot } from '#rooms/catalog/knowledge'
import type { Means } from '../means.ts'

/** The policies cannot be read, although the database answers. */
export class PoliciesUnreadable extends Error {
  override readonly name = 'PoliciesUnreadable'
}

/** The policies of rounds. Policies fail closed: while they cannot be read, nothing begins, and no run is to blame. */
export class Policies {
  readonly #means: Means
  /** True after the log said that the policies cannot be read, until they can be read again. */
  #told = false

  constructor(means: Means) {
    this.#means = means
  }

  /** Throws PoliciesUnreadable, which is said once until they can be read again, or that the database is away. */
  async snapshot(): Promise<KnowledgeSnapshot> {
    try {
      const policies = await this.#means.knowledge.snapshot()
      this.#told = false
      return policies
    } catch (error) {
      if (isUnavailable(error)) throw error
      if (!this.#told) this.#means.log.error({ err: error }, 'policies cannot be read, so that no run moves')
      this.#told = true
      throw new PoliciesUnreadable('Policies cannot be read', { cause: error })
    }
  }
}
