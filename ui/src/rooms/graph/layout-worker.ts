import { layOut } from './layout.ts'
import type { ShownGraph } from './step-graph.ts'

// Lays graphs out beside the page, which stays free meanwhile.

interface Asked {
  readonly number: number
  readonly graph: ShownGraph
}

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  self.postMessage({ number: data.number, layout: layOut(data.graph) }, { transfer: [] })
})
