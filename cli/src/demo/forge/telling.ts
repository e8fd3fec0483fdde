import type { Context } from '../../commands/context.ts'
import type { ForgeProduct } from './forge-product.ts'

/** What the steps of the demo share. */
export interface Telling {
  readonly context: Context
  readonly product: ForgeProduct
  /** One line: a word, and what is to be said of it. */
  say(title: string, detail: string): void
}

/** A page of the product, for people. */
export function pageOf({ pageUrl }: Pick<ForgeProduct, 'pageUrl'>, place: string): string {
  return `${pageUrl.replace(/\/$/, '')}/#/${place}`
}
