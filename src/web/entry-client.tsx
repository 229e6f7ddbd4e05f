// The placeholder needs no script; the build and its entry are here for the screens to come.
export {};
