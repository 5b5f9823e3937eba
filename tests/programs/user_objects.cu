// User objects: what a graph refers to is destroyed with the last reference, of the program, a graph, its copies or an
// executable graph, and not while a launch may use it.
#include <cstdio>
#include <cuda_runtime.h>
#include <unistd.h>

struct Counted {
    const char *name;
    bool tells; // when it is destroyed, which for a launch may be at any time
};
static volatile int destroyed;

static void CUDART_CB destroy(void *p) {
    Counted *c = (Counted *)p;
    if (c->tells) printf("%s is destroyed\n", c->name);
    delete c;
    destroyed++;
}

// A destructor may run on a thread of the driver's.
static void settle(int n, const char *when) {
    for (int i = 0; i < 100 && destroyed < n; i++) usleep(10000);
    usleep(20000);
    printf("%s: %d destroyed\n", when, destroyed);
}

static void say(const char *what, cudaError_t e) {
    printf("%s: %s\n", what, cudaGetErrorName(e));
    cudaGetLastError();
}

__global__ void add(int *p, int n) { atomicAdd(p, n); }

static cudaUserObject_t make(const char *name, unsigned references, bool tells = true) {
    cudaUserObject_t object = nullptr;
    say(name, cudaUserObjectCreate(&object, new Counted{name, tells}, destroy, references,
                                   cudaUserObjectNoDestructorSync));
    return object;
}

int main() {
    cudaUserObject_t object = nullptr;
    Counted here = {"here", true};
    say("no object", cudaUserObjectCreate(nullptr, &here, destroy, 1, cudaUserObjectNoDestructorSync));
    say("no function", cudaUserObjectCreate(&object, &here, nullptr, 1, cudaUserObjectNoDestructorSync));
    say("no flag", cudaUserObjectCreate(&object, &here, destroy, 1, 0));
    say("another flag", cudaUserObjectCreate(&object, &here, destroy, 1, 2));
    say("no reference", cudaUserObjectCreate(&object, &here, destroy, 0, cudaUserObjectNoDestructorSync));
    say("too many references",
        cudaUserObjectCreate(&object, &here, destroy, 0x80000000u, cudaUserObjectNoDestructorSync));

    object = make("alone", 3);
    say("retain none", cudaUserObjectRetain(object, 0));
    say("retain nothing", cudaUserObjectRetain(nullptr, 1));
    say("retain", cudaUserObjectRetain(object, 2));
    say("release none", cudaUserObjectRelease(object, 0));
    say("release four", cudaUserObjectRelease(object, 4));
    settle(0, "one is left");
    say("release", cudaUserObjectRelease(object, 1));
    settle(1, "alone");

    cudaGraph_t graph, copy;
    cudaGraphExec_t exec;
    int *p;
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    object = make("of a graph", 1);
    cudaGraphCreate(&graph, 0);
    say("graph of nothing", cudaGraphRetainUserObject(nullptr, object, 1, 0));
    say("graph retains none", cudaGraphRetainUserObject(graph, object, 0, 0));
    say("graph, wrong flag", cudaGraphRetainUserObject(graph, object, 1, 2));
    say("graph retains", cudaGraphRetainUserObject(graph, object, 2, 0));
    say("graph releases", cudaGraphReleaseUserObject(graph, object, 1));
    say("the program releases", cudaUserObjectRelease(object, 1));
    settle(1, "the graph has it");
    say("graph releases the last", cudaGraphReleaseUserObject(graph, object, 1));
    settle(2, "of a graph");

    object = make("moved", 1, false);
    say("moved", cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    int n = 5;
    void *arguments[] = {&p, &n};
    cudaKernelNodeParams params = {};
    params.func = (void *)add;
    params.gridDim = dim3(100);
    params.blockDim = dim3(32);
    params.kernelParams = arguments;
    cudaGraphNode_t node;
    say("kernel", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    say("clone", cudaGraphClone(&copy, graph));
    say("instantiate", cudaGraphInstantiate(&exec, graph, 0));
    say("destroy graph", cudaGraphDestroy(graph));
    settle(2, "a copy and an executable graph have it");
    say("destroy copy", cudaGraphDestroy(copy));
    settle(2, "an executable graph has it");
    say("launch", cudaGraphLaunch(exec, nullptr));
    say("launch", cudaGraphLaunch(exec, nullptr));
    say("destroy executable", cudaGraphExecDestroy(exec));
    say("wait", cudaDeviceSynchronize());
    settle(3, "moved");
    int sum;
    cudaMemcpy(&sum, p, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%d\n", sum);

    // A child graph's are the child node's.
    object = make("of a child", 1);
    cudaGraph_t child;
    cudaGraphCreate(&child, 0);
    cudaGraphCreate(&graph, 0);
    say("child retains", cudaGraphRetainUserObject(child, object, 1, cudaGraphUserObjectMove));
    say("child", cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
    say("destroy child", cudaGraphDestroy(child));
    settle(3, "the child's copy has it");
    say("destroy", cudaGraphDestroy(graph));
    settle(4, "of a child");
}
