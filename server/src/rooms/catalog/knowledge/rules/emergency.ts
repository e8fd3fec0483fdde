/** Who did something, as it was then. */
export interface Actor {
  readonly kind: string
  readonly id: string
  readonly name: string
}

/** While it holds, nothing begins in the scopes that its pattern takes in, and what runs there is canceled. */
export interface Emergency {
  readonly id: string
  readonly scope: string
  /** The team that the pattern lies under, '/' for the platform. */
  readonly teamPath: string
  readonly reason: string
  readonly declaredBy: Actor
  readonly declaredAt: Date
  /** Null: it holds. */
  readonly liftedBy: Actor | null
  readonly liftedAt: Date | null
  readonly liftReason: string | null
}
