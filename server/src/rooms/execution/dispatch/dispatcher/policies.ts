import { isUnavailable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Knowledge, KnowledgeSnapshot } from '#rooms/catalog/knowledge'

/** It cannot be known what is forbidden, though the database is there. */
export class PoliciesUnreadable extends Error {
  override readonly name = 'PoliciesUnreadable'
}

/** What rounds are judged by. Fail closed: where it cannot be known what is forbidden nothing begins, and no run is to blame. */
export class Policies {
  readonly #kit: Pick<Kit, 'log'>
  readonly #knowledge: Pick<Knowledge, 'snapshot'>
  /** It was said that they cannot be read, and they could not be since. */
  #told = false

  constructor(kit: Pick<Kit, 'log'>, knowledge: Pick<Knowledge, 'snapshot'>) {
    this.#kit = kit
    this.#knowledge = knowledge
  }

  /** Throws PoliciesUnreadable, which is said once until they can be read again, or that the database is away. */
  async snapshot(): Promise<KnowledgeSnapshot> {
    try {
      const policies = await this.#knowledge.snapshot()
      this.#told = false
      return policies
    } catch (error) {
      if (isUnavailable(error)) throw error
      if (!this.#told) this.#kit.log.error({ err: error }, 'policies cannot be read, so that no run moves')
      this.#told = true
      throw new PoliciesUnreadable('Policies cannot be read', { cause: error })
    }
  }
}
