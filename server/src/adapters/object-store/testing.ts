import S3rver from 's3rver'

/** A server that speaks the protocol of S3, with one bucket in a folder. */
export interface BucketServer {
  readonly endpoint: string
  readonly bucket: string
  readonly key: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string }
  close(): Promise<void>
}

export async function startBucketServer(directory: string): Promise<BucketServer> {
  const bucket = 'objects'
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port } = await s3.run()
  const key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' }
  return { endpoint: `http://127.0.0.1:${port}`, bucket, key, close: () => s3.close() }
}
