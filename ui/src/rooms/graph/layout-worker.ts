import { layOut, type Shape } from './layout.ts'

// Lays graphs out beside the page, which stays free meanwhile.

interface Asked {
  readonly number: number
  readonly shape: Shape
}

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  self.postMessage({ number: data.number, layout: layOut(data.shape) }, { transfer: [] })
})
