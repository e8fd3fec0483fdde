/** Values by axis, as text. */
export type Values = ReadonlyMap<string, string>

export interface MatrixDefinition {
  readonly axes: ReadonlyMap<string, readonly string[]>
  readonly include: readonly Values[]
  readonly exclude: readonly Values[]
}

/**
 * Every combination of the axes without the excluded ones, then the included ones. An inclusion adds its values to each
 * combination whose values of the axes it does not change. An inclusion that fits none is a combination of its own.
 * GitHub does the same. The caller has bounded the product of the axes.
 */
export function expandMatrix({ axes, include, exclude }: MatrixDefinition): Values[] {
  const products = productOf(axes).filter((product) => !exclude.some((entry) => fits(entry, product)))
  const combined = products.map((product) => new Map(product))
  const added: Values[] = []
  for (const entry of include) {
    // Against the values of the axes: what an earlier inclusion added may be overwritten.
    const matching = combined.filter((_, at) => !changes(entry, products[at]))
    for (const combination of matching) for (const [axis, value] of entry) combination.set(axis, value)
    if (matching.length === 0) added.push(entry)
  }
  return [...combined, ...added]
}

/** How many combinations the axes alone make. */
export function sizeOf(axes: ReadonlyMap<string, readonly unknown[]>): number {
  let size = axes.size === 0 ? 0 : 1
  for (const values of axes.values()) size *= values.length
  return size
}

function productOf(axes: MatrixDefinition['axes']): Map<string, string>[] {
  if (axes.size === 0) return []
  let products: Map<string, string>[] = [new Map()]
  for (const [axis, values] of axes) {
    products = products.flatMap((product) => values.map((value) => new Map(product).set(axis, value)))
  }
  return products
}

function fits(entry: Values, product: Values): boolean {
  if (entry.size === 0) return false
  for (const [axis, value] of entry) if (product.get(axis) !== value) return false
  return true
}

function changes(entry: Values, product: Values | undefined): boolean {
  for (const [axis, value] of entry) if (product?.has(axis) && product.get(axis) !== value) return true
  return false
}
