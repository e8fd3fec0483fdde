/**
 * The size of outputs that one attempt may hand on. Outputs travel in one message and are stored with the run; larger
 * data belongs into an artifact. Sizes are UTF-8 bytes.
 */
export const OUTPUT_LIMITS = {
  count: 100,
  valueBytes: 1_048_576,
  totalBytes: 4_194_304,
  /** Of one final output, once outputs are in it. */
  finalBytes: 1_048_576,
} as const
