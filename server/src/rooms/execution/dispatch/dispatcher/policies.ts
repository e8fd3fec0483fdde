import { isUnavailable } from '#platform/database'
import type { KnowledgeSnapshot } from '#rooms/catalog/knowledge'
import type { Means } from '../means.ts'

/** It cannot be known what is forbidden, though the database is there. */
export class PoliciesUnreadable extends Error {
  override readonly name = 'PoliciesUnreadable'
}

/** What rounds are judged by. Fail closed: where it cannot be known what is forbidden nothing begins, and no run is to blame. */
export class Policies {
  readonly #means: Means
  /** It was said that they cannot be read, and they could not be since. */
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
