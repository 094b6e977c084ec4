// Plain JavaScript, for it runs under any Node. npm skips an optional package that it cannot fetch, and the operator's own Node would
// run in its place.
const { optionalDependencies } = require('../package.json')

const [version] = new Set(Object.values(optionalDependencies))
if (process.version !== `v${version}`) {
  console.error(
    `Muripo runs on Node ${version}, and this is ${process.version} (${process.platform} ${process.arch}): run "npm ci" again, with its optional packages.`,
  )
  process.exitCode = 1
}
