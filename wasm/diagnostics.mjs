// What lib/ uses of node:diagnostics_channel, for runtimes without it: nobody can subscribe.

export const channel = () => ({ hasSubscribers: false, publish() {} });
