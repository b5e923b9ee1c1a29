// The engines that are published for each platform. Only that of the platform in use is installed.
declare module '@palimpsest/engine-*';
