import { hash } from 'node:crypto'
import path from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { calls } from './calls.ts'
import { highlight } from './highlight.ts'
import { inlineClasses } from './inline-classes.ts'
import { inlineScript } from './inline-script.ts'
import web from './package.json' with { type: 'json' }
import { texts } from './texts.ts'

/**
 * The code of many pages, in few files: each file costs a request, whose headers are larger than a small module, and its style sheet another one. The groups are by name,
 * because a file also contains the imports of its modules.
 */
const groups = [
  {
    name: 'react',
    test: /\/node_modules\/(react|react-dom|react-router|scheduler)\/|\0vite\/preload-helper/,
    priority: 2,
  },
  {
    name: 'frame',
    test: /\/app\/(lib\/(format|use-formats|keep-focus|paths|page-meta|page-text|sentence|log|http|storage|timing|signals|context)|session\/(?!open-merchant)[a-z-]+|api\/error-texts|components\/(logo|notice-page|page-spinner|language-links|toast|ui\/(classes|field|colour-field))|shell\/(public-header|sign-out|floats|color-scheme|toaster|chat\/[a-z-]+)|features\/site\/(action-link|page-hero|footer|reveal|code\/[a-z-]+)\.module)\.(module\.css|css|tsx?)$|\/contract\/src\/(constants|typed-text)\.ts$/,
    priority: 1,
  },
  // The code of the public pages, which the dashboard and the pages for guests do not load.
  {
    name: 'site',
    test: /\/app\/features\/site\/(action-link|page-hero|reveal|site-layout|text|code\/[a-z-]+)\.tsx?$|\/icons-react\/.*Icon(Bolt|World)\.mjs$/,
  },
  // The code of most pages of the dashboard. Files below a kilobyte are not compressed: in one file they take a third.
  {
    name: 'dashboard',
    test: /\/app\/(api\/(account|answers|stats|applications|payments|payment-list|new-payment|query-behaviour)|components\/(error-boundary|error-toast|how-to-pay|ui\/(data-list|empty-state|page-header|panel|skeleton|status-badge|segment|visually-hidden))|lib\/(dashboard-text|page-code|payment-filters|refetch-silently)|live\/[a-z-]+|shell\/dashboard\/(navigation|step-up|banners|identity|shortcut-keys|test-mode|live-announcement|page-queries))\.(module\.css|tsx?)$|\/(useInfiniteQuery|useMutation|mutationObserver)\.js$/,
    priority: 1,
  },
  // The code of the list of payments that its dialogs use, too.
  {
    name: 'payment',
    test: /\/app\/(features\/payments\/(days-text|dialog-module|details\/amount-input)|lib\/(dialog-in-address|payments-text))\.tsx?|\/features\/payments\/(payments|payment-grid|export\/export-panel)\.module\.css|\/contract\/src\/amounts\.ts$/,
  },
  {
    name: 'icons',
    test: /\/@tabler\/icons-react\/.*Icon(?!Bolt|World)\w+\.mjs$/,
    minShareCount: 2,
    priority: 2,
  },
]

export default defineConfig({
  plugins: [inlineClasses(), highlight(), inlineScript(), texts(), calls(), reactRouter()],
  // Short, and the same for the server: the names of the classes are in the script, and a hash compresses badly.
  css: {
    modules: {
      generateScopedName: (name, file) =>
        `_${name}_${hash('sha256', path.relative(import.meta.dirname, file)).slice(0, 5)}`,
    },
  },
  build: {
    // Newer syntax of scripts and styles is rewritten, and newer functions are not: `e2e/browser-baseline.spec.ts` refuses them.
    target: web.browserslist.map((browser) => browser.replace(' ', '')),
    // The content security policy allows no data: addresses for fonts and scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  // The icons are hundreds of small modules: bundled, they load in milliseconds when the server starts.
  ssr: { noExternal: [/^@tabler\//] },
})
