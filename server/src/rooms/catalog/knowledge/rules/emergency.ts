/** Who did something, by the name of that time. */
export interface Actor {
  readonly kind: string
  readonly id: string
  readonly name: string
}

/** While an emergency is active, nothing begins in the scopes that its pattern matches, and runs there are canceled. */
export interface Emergency {
  readonly id: string
  readonly scope: string
  /** The team that the pattern lies under, '/' for the platform. */
  readonly teamPath: string
  readonly reason: string
  readonly declaredBy: Actor
  readonly declaredAt: Date
  /** Null: it is active. */
  readonly liftedBy: Actor | null
  readonly liftedAt: Date | null
  readonly liftReason: string | null
}
