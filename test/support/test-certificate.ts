/**
 * A certificate for `localhost` that nobody has signed but itself, and its key. It guards nothing: it is for the mail
 * servers of the tests, which are trusted where a test says so and refused where it does not. Valid until 2126.
 */
export const testCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg47JSuEAWUwOxoy7N
MwYaGnqVWUL1/GKRn8i2gAP6IJOhRANCAASbwtlBmaytRe8AoL8SebwiPqQu5/Nr
F+EOc9/bYPCb9cBs4Wye0GPenxfyV9HUJCY6PRCYdnkguqKKd/+OONU7
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUXimhzLSVFNUdxtpKuZ+1U9kJpWowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTAyMjUzNFoYDzIxMjYxMDIy
MDIyNTM0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASbwtlBmaytRe8AoL8SebwiPqQu5/NrF+EOc9/bYPCb9cBs4Wye0GPe
nxfyV9HUJCY6PRCYdnkguqKKd/+OONU7o2kwZzAdBgNVHQ4EFgQU3ODT4Jx8oo8l
+cse/IqfgmHdQ7EwHwYDVR0jBBgwFoAU3ODT4Jx8oo8l+cse/IqfgmHdQ7EwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgd7ru1vZkRHdGH1AFMivujR4w1+34ERTq9cc/BPw03csCIQDUIPFkQ8WU
p6JIK0lISp7G9FTDpagauNdCMgWc1IuHIQ==
-----END CERTIFICATE-----
`,
};

/** The same, but it ended with 2020. */
export const endedCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRTbn5uhl07aZmdne
fuFUCdOhmlOAFqEx8equKajyp5ahRANCAARtytI0RHCFlhBmX9ZgAlJI1l2iF21W
DRR/jPA1bm3FgOvNiowohXPTJ58Xbu+rKXxk+nUMwXSfFsSo1AqwdHfr
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBXzCCAQWgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARtytI0RHCFlhBmX9Zg
AlJI1l2iF21WDRR/jPA1bm3FgOvNiowohXPTJ58Xbu+rKXxk+nUMwXSfFsSo1Aqw
dHfro0gwRjAUBgNVHREEDTALgglsb2NhbGhvc3QwDwYDVR0TAQH/BAUwAwEB/zAd
BgNVHQ4EFgQU8WpxJ0b6k/WzVKeP2/vZe+qXAHcwCgYIKoZIzj0EAwIDSAAwRQIg
WfU105Yl9ZnNI2kkXjFKemnErFkGuWY3yoZthN5En2kCIQCa+YyvY1l8RhaAsOMu
r7bWHb+QdjHXm4o6eqvB4f/M2g==
-----END CERTIFICATE-----
`,
};
