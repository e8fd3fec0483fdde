declare global {
  /** The answer to who is signed in, which before-scripts.js asks for. */
  var signalboxMe: Promise<Response> | undefined
}

/** That answer, for the first who asks, of the same page load: later it may be that of somebody else. */
export function takeBegun(): Promise<Response> | undefined {
  const { signalboxMe: begun } = globalThis
  globalThis.signalboxMe = undefined
  return begun
}
