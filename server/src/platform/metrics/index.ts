import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'

/** Series of one process. Names start with `signalbox_`; labels are bounded sets, never a run, sha, branch or user. */
export interface Metrics {
  counter<L extends string>(name: string, help: string, labels: readonly L[]): Counter<L>
  gauge<L extends string>(name: string, help: string, labels: readonly L[]): Gauge<L>
  histogram<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    buckets: readonly number[],
  ): Histogram<L>
  /** Called before each scrape, to set gauges from tables. */
  onScrape(collect: () => Promise<void>): void
  /** The text exposition and its content type. */
  render(): Promise<{ contentType: string; text: string }>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const collectors: (() => Promise<void>)[] = []
  const registers = [registry]
  return {
    counter: (name, help, labels) => new Counter({ name, help, labelNames: [...labels], registers }),
    gauge: (name, help, labels) => new Gauge({ name, help, labelNames: [...labels], registers }),
    histogram: (name, help, labels, buckets) =>
      new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
    onScrape: (collect) => void collectors.push(collect),
    async render() {
      // A gauge that cannot be read (the database is down) must not hide the series that can.
      await Promise.allSettled(collectors.map((collect) => collect()))
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
