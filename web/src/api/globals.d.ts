// Set by vite.config.ts.
declare const __CORE__: boolean;
declare const __STATIC__: boolean;
