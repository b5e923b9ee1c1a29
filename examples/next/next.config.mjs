// Turbopack needs nothing. `next build --webpack` needs it where traced files are deployed.
export default { serverExternalPackages: ['palimpsest'] };
