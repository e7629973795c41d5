/**
 * The tests whose files may share their modules: they start no process, patch no library and keep nothing in a module.
 * Loading the product anew for each of them takes longer than their tests.
 */
export const SHARED_MODULES = [
  'test/{activity,base,events,history,mirror,playback,protocol,rpc,search,tools,vt}/**/*.test.ts',
  'test/cli/{argv,prepare,present}/**/*.test.ts',
  'test/cli/{exit-status,prepare*,present*,setting}.test.ts',
  'test/features/reading/**/*.test.ts',
  'test/terminal/input/**/*.test.ts',
  'test/render/{fonts,sprites,png,raster,vector}/**/*.test.ts',
];

/** These may share them too, though they start processes: they end them. */
export const SHARED_BESIDE_PROCESSES = [
  'test/{attach,cli,client,clients,crew,daemon,e2e,fleet,grpc,interminai,mcp,nats,page,render,runs,features,terminal,trials,vitest,web}/**/*.test.ts',
  'test/*.test.ts',
];

export const OWN_MODULES = [
  // A library without patches; shared modules have patched it.
  'test/vt/xterm/patches.test.ts',
  // It loads modules anew, which would patch the library twice.
  'test/vt/keyframe.test.ts',
  // They measure or compare what this process holds.
  'test/base/own-copy.test.ts',
  'test/terminal/system/memory.test.ts',
  'test/events/osc-memory.test.ts',
  // They count what a process holds, or time it.
  'test/vt/**/{hyperlinks,control-strings,payload-buffer}.test.ts',
  // It asks whether this process has loaded the canvas.
  'test/render/glyphs/canvas.test.ts',
  // They start processes.
  'test/**/{code-cache,cached-program,help,replies,texts}.test.ts',
];
