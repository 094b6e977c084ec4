import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { highlight } from './highlight.ts'
import { inlineScript } from './inline-script.ts'
import { texts } from './texts.ts'

/**
 * The code of every public page, in few files: each file costs a request, and its headers are larger than a small module. The groups are by
 * name, because a file also contains the imports of its modules.
 */
const groups = [
  { name: 'react', test: /\/node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 2 },
  {
    name: 'site',
    test: /\/app\/(lib\/(paths|page-meta|log|http|storage|timing|signals|build|context|use-copy)|session\/[a-z-]+|api\/errors|components\/(logo|notice-page)|shell\/(public-header|sign-out|floats)|features\/site\/(action-link|page-hero|footer|reveal|code\/[a-z-]+))\.(module\.css|tsx?)$/,
    priority: 1,
  },
  // The code that every page with Mantine loads.
  { name: 'mantine', test: /\/app\/(components\/(button|page-spinner|theme)|shell\/mantine-layout)\.tsx?$/ },
  { name: 'icons', test: /\/@tabler\/icons-react\//, minShareCount: 2 },
]

export default defineConfig({
  plugins: [highlight(), inlineScript(), texts(), reactRouter()],
  build: {
    // The content security policy allows no data: addresses for fonts and scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  // Mantine has hundreds of small modules: bundled, they load in milliseconds when the server starts.
  ssr: { noExternal: [/^@mantine\//, /^@tabler\//] },
})
