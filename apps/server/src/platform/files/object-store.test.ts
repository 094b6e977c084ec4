import { expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { ConfigError } from '../settings.ts'

test.each([
  [
    's3://AKID:se%2Fcret@s3.eu-west-1.amazonaws.com/papers/kyc/2026?region=eu-west-1',
    {
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      region: 'eu-west-1',
      bucket: 'papers',
      prefix: 'kyc/2026/',
      accessKeyId: 'AKID',
      secretAccessKey: 'se/cret',
    },
  ],
  ['s3://a:b@minio.internal:9000/papers', { endpoint: 'https://minio.internal:9000', prefix: '' }],
  ['s3://a:b@127.0.0.1:9000/papers?tls=off', { endpoint: 'http://127.0.0.1:9000', region: 'us-east-1' }],
])('%s is a location for files', (url, store) => {
  expect(parseConfig({ FILES_URL: url }).objectStore).toMatchObject(store)
})

test('without it files are stored on the disk', () => {
  expect(parseConfig({}).objectStore).toBeNull()
  expect(parseConfig({ FILES_URL: ' ' }).objectStore).toBeNull()
})

test.each([
  'papers',
  'https://AKID:verysecret@s3.example.com/papers',
  's3://s3.example.com/papers',
  's3://AKID:verysecret@s3.example.com',
  's3://AKID:verysecret@s3.example.com/Papers',
  's3://AKID:verysecret@s3.example.com/papers/a%2fb',
  's3://AKID:verysecret@s3.example.com/papers?acl=public',
  's3://AKID:verysecret@s3.example.com/papers?tls=off',
  's3://AKID:verysecret%zz@s3.example.com/papers',
])('%s is refused, and is not repeated with its secret', (url) => {
  const parse = () => parseConfig({ FILES_URL: url })
  expect(parse).toThrow(ConfigError)
  expect(parse).toThrow('FILES_URL must be s3://KEY:SECRET@HOST/BUCKET?region=REGION')
  expect(parse).not.toThrow(/verysecret/)
})
